import { pciId } from './pci-ids.ts';

interface Vendor {
  readonly name: string;
  readonly spelled: RegExp;
  readonly ids?: readonly string[];
}

const VENDORS: readonly Vendor[] = [
  { name: 'Intel', spelled: /^(genuine)?intel\b/, ids: ['8086'] },
  { name: 'AMD', spelled: /^(authenticamd|advanced micro devices|amd\b)/, ids: ['1022', '1002'] },
  { name: 'Broadcom', spelled: /^broadcom\b/, ids: ['14e4'] },
  { name: 'Mellanox', spelled: /^mellanox\b/, ids: ['15b3'] },
  { name: 'NVIDIA', spelled: /^nvidia\b/, ids: ['10de'] },
  { name: 'QLogic', spelled: /^qlogic\b/, ids: ['1077'] },
  { name: 'Dell', spelled: /^dell\b/, ids: ['1028'] },
  { name: 'HPE', spelled: /^(hpe?|hewlett[- ]packard)\b/, ids: ['103c', '1590'] },
  { name: 'Samsung', spelled: /^samsung\b/, ids: ['144d'] },
  { name: 'SK Hynix', spelled: /^(sk[- ]?)?hynix\b/, ids: ['1c5c'] },
  { name: 'Micron', spelled: /^micron\b/, ids: ['1344'] },
  { name: 'Solidigm', spelled: /^solidigm\b/, ids: ['025e'] },
  { name: 'Kioxia', spelled: /^kioxia\b/, ids: ['1e0f'] },
  { name: 'Toshiba', spelled: /^toshiba\b/, ids: ['1179'] },
  { name: 'SanDisk', spelled: /^sandisk\b/, ids: ['15b7'] },
  { name: 'Seagate', spelled: /^seagate\b/, ids: ['1bb1'] },
  { name: 'Western Digital', spelled: /^(western digital|wdc?)\b/, ids: [] },
  { name: 'HGST', spelled: /^hgst\b/ },
  { name: 'Hitachi', spelled: /^hitachi\b/ },
  { name: 'Phison', spelled: /^phison\b/, ids: ['1987'] },
  { name: 'Xilinx', spelled: /^xilinx\b/, ids: ['10ee'] },
  { name: 'Supermicro', spelled: /^super ?micro\b/, ids: ['15d9'] },
  { name: 'Lenovo', spelled: /^lenovo\b/, ids: ['17aa'] },
  { name: 'Fujitsu', spelled: /^fujitsu\b/ },
  { name: 'AMI', spelled: /^(ami|american megatrends)\b/ },
];

const BY_ID = new Map(VENDORS.flatMap(({ name, ids = [] }) => ids.map((id) => [id, name] as const)));

/** Returns the usual name of a vendor, from a spelling or a PCI id. Returns unknown texts unchanged. */
export function vendorOf(text: string): string {
  const plain = text.toLowerCase().replace(/\(r\)|\(tm\)/g, '');
  const known = VENDORS.find(({ spelled }) => spelled.test(plain));
  return known?.name ?? BY_ID.get(pciId(text)) ?? text;
}

const LEGAL_FORM = /^[ ,]*(corporation|corp\.?|technologies|technology|inc\.?( and subsidiaries)?|co\.?|ltd\.?)(?= |$)/;

/** Returns a model name in lower case, without the vendor before it. */
export function withoutVendor(model: string): string {
  const plain = model
    .toLowerCase()
    .replace(/\(r\)|\(tm\)/g, '')
    .trim();
  const vendor = VENDORS.find(({ spelled }) => spelled.test(plain));
  return vendor ? plain.replace(vendor.spelled, '').replace(LEGAL_FORM, '').trim() : plain;
}
